// The label filter of a view, in its address.

import { computed } from 'vue'
import { useParameter } from './address'
import type { LabelFilter } from './filters'

export function useLabelFilter() {
  const actor = useParameter('actor')
  const category = useParameter('category')
  const demographic = useParameter('demographic')
  const placebo = useParameter('placebo')
  const filter = computed<LabelFilter>(() => ({
    actor: actor.value,
    category: category.value,
    demographic: demographic.value,
    placebo: placebo.value,
  }))
  return { actor, category, demographic, placebo, filter }
}
