import { html } from '../html.ts'

/** Tags of indexes that no real market is behind. */
const INVENTED: Readonly<Record<string, string>> = {
  simulated: 'simulated data',
  sample: 'sample data',
  sandbox: 'sandbox data',
}

/** Mark of an index of invented data, by its tags; of others none. */
export function InventedMark({ tags }: { tags: readonly string[] }) {
  const tag = tags.find((one) => one in INVENTED)
  return tag === undefined
    ? null
    : html` <span class="tag" title="No real market is behind this index">${INVENTED[tag]}</span>`
}
