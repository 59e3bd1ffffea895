import { html } from '../../html.ts'
import { TICKET_KEYS } from '../data/ticket-keys.ts'

/** Keys of the ticket; closed until asked for. */
export function KeyHelp({ is_open, onToggle }: { is_open: boolean; onToggle: () => void }) {
  return html`<div class="key-help">
    <button type="button" class="plain" aria-expanded=${String(is_open)} onClick=${onToggle}>Keys <kbd>?</kbd></button>
    ${
      is_open &&
      html`<dl aria-label="Keys of the ticket">${TICKET_KEYS.map(([keys, effect]) => html`<div key=${keys}><dt><kbd>${keys}</kbd></dt><dd>${effect}</dd></div>`)}</dl>`
    }
  </div>`
}
