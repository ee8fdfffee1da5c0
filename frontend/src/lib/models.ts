// What a model's row says beside the numbers that stand in it.

/** Share of the replies from which nothing could be read; unknown where none came. */
export function unreadableShare(model: { replies: number; readable: number }): number | null {
  return model.replies > 0 ? (model.replies - model.readable) / model.replies : null
}
