import { formatMicros, type Micros } from '../../primitives/instants.ts'

/** Invented source of results, named so that nobody takes it for a real one. */
export const SIMULATED_BUREAU = 'Simulated Bureau of Records'
export const SIMULATED_GAZETTE = 'Simulated Gazette'

/** A market's rules. */
export type RulesText = { readonly primary: string; readonly secondary: string }

/**
 * Returns an event's rules, as complete as real listings are: every third covers all outcomes, the next only its criterion and
 * source, the last almost nothing (null: the venue's short text).
 */
export function rulesOf(event: number, question: string, closes_at: Micros): RulesText | null {
  const until = `${formatMicros(closes_at).slice(0, 10)} 23:59 UTC`
  const primary = `If the ${SIMULATED_BUREAU} reports by ${until} that this came true, the market resolves to Yes, else to No. ${question}`
  const source = `The outcome is taken according to the ${SIMULATED_BUREAU}.`
  switch (event % 3) {
    case 0:
      return { primary, secondary: `${source} ${WHAT_ELSE}` }
    case 1:
      return { primary, secondary: source }
    default:
      return null
  }
}

const WHAT_ELSE = [
  `If its report is not available, the ${SIMULATED_GAZETTE} is the secondary source.`,
  'If what is asked about is postponed, the market remains open; if it is cancelled, the market is void and every contract is refunded.',
  'A dispute window of 24 hours follows the first proposal.',
].join(' ')
