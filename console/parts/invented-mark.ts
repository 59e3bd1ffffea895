import { html } from '../html.ts'

/** Mark of invented data, which the service knows (`simulated`); of real data none. */
export function InventedMark({ simulated }: { simulated: boolean }) {
  return simulated ? html` <span class="tag invented" title="No real market is behind this">simulated</span>` : null
}
