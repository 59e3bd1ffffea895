import type { OperationId } from '../endpoints/endpoints.ts'
import type { OPEN_WRITES } from '../endpoints/notice-endpoints.ts'
import type { PrivateOperationId } from '../endpoints/trading-endpoints.ts'
import type { Example } from './example.ts'
import { INDEX_EXAMPLES } from './index-examples.ts'
import { MARKET_EXAMPLES } from './market-examples.ts'
import { ASSESSMENT_EXAMPLES, GOVERNANCE_EXAMPLES, PROOF_EXAMPLES } from './record-examples.ts'
import { TRADING_EXAMPLES } from './trading-examples.ts'

/** Files of the log have no endpoint of /v1. */
const LOG_EXAMPLES = {
  get_log_checkpoint: {},
  get_log_vkey: {},
  get_log_tile: { path: { level: '0', index: '000' } },
  get_log_entries: { path: { index: '000' } },
} as const satisfies Record<string, Example>

type AnyOperationId = OperationId | PrivateOperationId | keyof typeof OPEN_WRITES | keyof typeof LOG_EXAMPLES

/** One example of every operation; the compiler refuses an operation without one. */
export const EXAMPLES: Readonly<Record<AnyOperationId, Example>> = {
  get_time: {},
  get_capabilities: {},
  ...INDEX_EXAMPLES,
  ...MARKET_EXAMPLES,
  ...ASSESSMENT_EXAMPLES,
  ...GOVERNANCE_EXAMPLES,
  ...PROOF_EXAMPLES,
  ...TRADING_EXAMPLES,
  ...LOG_EXAMPLES,
}

/** Returns the example of an operation; null: it is none of the document. */
export function exampleOf(operation_id: string): Example | null {
  return Object.hasOwn(EXAMPLES, operation_id) ? EXAMPLES[operation_id as AnyOperationId] : null
}
