// What the view of a run waits for: the run, its overview, its findings, and the lists of a model.

import { computed, watch } from 'vue'
import { get } from '@/api/client'
import { isMoving } from '@/api/events'
import { useParameter } from '@/lib/address'
import { useChoices, type Choices } from '@/lib/analysis'
import { useLoading } from '@/lib/loading'
import { everything } from '@/lib/pages'
import { useProgress } from '../newrun/watching'

export function useRunResults(run: () => string) {
  const asked = useParameter('model', '', ['skipped'])
  const flagged = useParameter('flagged')
  const path = computed(() => ({ run: run() }))
  const { choices, carried } = useChoices()
  const options = computed(() => ({
    ...choices.value,
    exclude_flagged: flagged.value === 'out' || undefined,
  }))

  const facts = useLoading(
    () => path.value,
    (parts, signal) => get('/runs/{run}', { path: parts, signal }),
  )
  const overview = useLoading(
    () => (facts.data.value?.progress.answered ? { path: path.value, query: options.value } : null),
    (request, signal) => get('/runs/{run}/results/overview', { ...request, signal }),
  )
  const findings = useLoading(
    () => (overview.data.value ? path.value : null),
    (parts, signal) =>
      everything((cursor) =>
        get('/runs/{run}/findings', { path: parts, query: { cursor, limit: 500 }, signal }),
      ),
  )
  const model = computed(() => {
    const models = overview.data.value?.models ?? []
    return asked.value ? models.find((one) => one.model === asked.value) : models[0]
  })
  const anyFlagged = computed(() =>
    (findings.data.value ?? []).some((finding) => finding.estimate_without !== null),
  )
  const ofModel = computed(() => ({ ...options.value, model: model.value?.model }))

  const verdicts = useLoading(
    () => (model.value ? { path: path.value, query: ofModel.value } : null),
    ({ path: parts, query }, signal) =>
      everything((cursor) =>
        get('/runs/{run}/results/verdicts', {
          path: parts,
          query: { ...query, cursor, limit: 500 },
          signal,
        }),
      ),
  )
  const labels = useLoading(
    () => (model.value ? { path: path.value, query: ofModel.value } : null),
    labelsOf,
  )
  // The same labels without flagged replies, to stand beside them.
  const without = useLoading(
    () =>
      model.value && anyFlagged.value
        ? { path: path.value, query: { ...ofModel.value, exclude_flagged: true } }
        : null,
    labelsOf,
  )

  // While the run collects: how far it is, live; its results are loaded anew when it ends.
  const moving = computed(() => !!facts.data.value && isMoving(facts.data.value.state))
  const { progress } = useProgress(() => (moving.value ? run() : null))
  watch(progress, (now) => {
    if (!now) return
    const first = now.answered > 0 && facts.data.value?.progress.answered === 0
    if (first || !isMoving(now.state)) void refresh()
  })

  async function refresh(): Promise<void> {
    await facts.reload()
    await overview.reload()
    await Promise.all([findings, labels, verdicts, without].map((one) => one.reload()))
  }

  return {
    asked, flagged, carried, path, options, ofModel, facts, overview, findings, model, anyFlagged,
    verdicts, labels, without, moving, progress, refresh,
  } // prettier-ignore
}

interface LabelsOf {
  path: { run: string }
  query: Choices & { model?: string; exclude_flagged?: boolean }
}

function labelsOf({ path, query }: LabelsOf, signal: AbortSignal) {
  return everything((cursor) =>
    get('/runs/{run}/results/labels', { path, query: { ...query, cursor, limit: 500 }, signal }),
  )
}
