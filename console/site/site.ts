import { addCopyButtons } from './copy-buttons.ts'
import { startSearch } from './search.ts'

/** Script of every page of the documentation. Pages can be read without it. */
const NARROW = '(max-width: 60rem)'

addCopyButtons()
startSearch()
for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu'))
  menu.open = !globalThis.matchMedia(NARROW).matches
if (document.querySelector('form.try') !== null) void import('./forms.ts').then(({ startForms }) => startForms())
