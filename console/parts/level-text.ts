import { groupDigits } from '../data/decimal-text.ts'
import type { ShownLevel } from '../data/newest.ts'
import { html } from '../html.ts'

/** A level with all its digits; one that arrived after the page was read is highlighted for a moment. */
export function LevelText({ latest, read }: { latest: ShownLevel; read: ShownLevel | null }) {
  if (latest.level === null) return html`<span class="none">no level</span>`
  const is_news = read !== null && latest.observation_id !== read.observation_id
  return html`<b key=${latest.observation_id} class=${is_news ? 'moved' : ''}>${groupDigits(latest.level)}</b>`
}
