import type { Pool } from '../../../trading/store/create-pool.ts'

/**
 * Everything that a request could have an effect on, in one text: how far the log has come, what there is and in which version, and
 * every balance and position. Used nonces are left out: to use one up is what a refused request may do.
 */
const EFFECTS = `
SELECT concat_ws(' ',
  'events', (SELECT max(engine_sequence) FROM trading.engine_event),
  'ledger', (SELECT max(ledger_sequence) FROM trading.ledger_entry),
  'orders', (SELECT count(*) || ':' || sum(version) || ':' || sum(remaining_quantity) FROM trading.orders),
  'fills', (SELECT count(*) FROM trading.fill),
  'keys', (SELECT count(*) || ':' || sum(secret_version) || ':' || count(revoked_at) FROM trading.api_key),
  'authorizations', (SELECT count(*) FROM trading.signer_authorization),
  'acts', (SELECT count(*) FROM trading.operator_act),
  'balances', (SELECT string_agg(balance::text, ';' ORDER BY account_id, asset_id) FROM trading.balance),
  'positions', (SELECT string_agg(position::text, ';' ORDER BY account_id, outcome_id) FROM trading.position)
) AS effects`

export async function readEffects(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ effects: string }>(EFFECTS)
  return rows[0]!.effects
}
