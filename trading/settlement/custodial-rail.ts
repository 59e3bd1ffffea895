import type { SettlementInstruction } from '../engine/settlement-commands.ts'
import { type RailAnswer, railAnswer, type SettlementRail } from './settlement-rail.ts'

/** Book transfers are final when booked; after this time a worker has failed to conclude them. */
const FINALITY_MS = 30_000

/**
 * Returns the rail of our own custody, which is the ledger. A settlement is a transfer between two accounts of one book, booked
 * with its confirmation, so the rail executes and stores nothing and confirms at once.
 * @param assets assets in custody; null: all assets of the ledger
 */
export function custodialRail(assets: ReadonlySet<string> | null = null): SettlementRail {
  return {
    name: 'custodial_book_transfer',
    finality_ms: FINALITY_MS,
    ...(assets === null ? { confirmation: confirmed } : {}),
    submit: async (instructions) => instructions.map((instruction) => answerOf(instruction, assets)),
    statusOf: async (settlement_ids) => settlement_ids.map(confirmed),
    reversals: async () => [],
  }
}

function answerOf({ settlement_id, asset_id }: SettlementInstruction, assets: ReadonlySet<string> | null): RailAnswer {
  if (assets === null || assets.has(asset_id)) return confirmed(settlement_id)
  return railAnswer(settlement_id, 'rejected', {
    failure_code: 'SETTLEMENT_ASSET_MISMATCH',
    message: `asset is ${asset_id}; in custody are ${[...assets].sort().join(', ')}`,
  })
}

function confirmed(settlement_id: string): RailAnswer {
  return railAnswer(settlement_id, 'confirmed', {
    external_reference: `book/${settlement_id}`,
    rail_response_reference: `book/${settlement_id}/booked`,
  })
}
