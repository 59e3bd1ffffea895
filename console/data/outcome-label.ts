import type { Market } from '../../protocol/resources/market.ts'

/** Returns the label of an outcome; its id if the market does not have it. */
export function outcomeLabel({ outcomes }: Pick<Market, 'outcomes'>, id: string): string {
  return outcomes.find(({ outcome_id }) => outcome_id === id)?.label ?? id
}
