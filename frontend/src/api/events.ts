// The progress of a run as the service sends it, until the run ends.

import { addressOf, PREFIX } from './address'
import type { Schemas } from './client'

export type Progress = Schemas['Progress']

const MOVING: readonly Progress['state'][] = ['waiting', 'collecting', 'canceling']

export function isMoving(state: Progress['state']): boolean {
  return MOVING.includes(state)
}

/**
 * Watches a run. The browser takes the stream up again by itself where it breaks; the returned
 * function ends the watch.
 */
export function watchRun(
  run: string,
  onProgress: (progress: Progress) => void,
  onBroken: () => void = () => {},
): () => void {
  const source = new EventSource(addressOf(`${PREFIX}/runs/{run}/events`, { run }))
  source.addEventListener('progress', (event) => {
    const progress = JSON.parse((event as MessageEvent<string>).data) as Progress
    onProgress(progress)
    if (!isMoving(progress.state)) source.close()
  })
  source.addEventListener('error', onBroken)
  return () => source.close()
}
