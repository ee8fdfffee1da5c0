// Whether the page is as narrow as a phone.

import { ref } from 'vue'

const query = window.matchMedia('(max-width: 40rem)')

export const narrow = ref(query.matches)
query.addEventListener('change', (event) => (narrow.value = event.matches))
