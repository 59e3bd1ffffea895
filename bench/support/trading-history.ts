import type { Pool } from '../../trading/store/create-pool.ts'

/**
 * Multiplies history: copies every working order, and one order as many ended ones, each with its nonce and an event. Adjusts
 * positions and balances to match, so that a restart finds them consistent.
 */
export async function multiplyHistory(pool: Pool, working_each: number, ended: number): Promise<void> {
  await pool.query(`
    SET LOCAL session_replication_role = replica;
    SET LOCAL synchronous_commit = off;
    ${copyOrders(`generate_series(1, ${working_each - 1})`, '', `status = 'open'`)};
    ${copyOrders(`generate_series(1, ${ended})`, ENDED, `order_id = (SELECT min(order_id) FROM trading.orders)`)};
    INSERT INTO trading.order_nonce SELECT account_id, signer, order_nonce, created_at FROM trading.orders ON CONFLICT DO NOTHING;
    INSERT INTO trading.engine_event
      SELECT last_engine_sequence + n, batch_sequence + 1, 'order', 'acct_0', json_build_object('order_id', n, 'status', 'canceled')
      FROM generate_series(1, ${ended}) AS n, (SELECT * FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1) AS last;
    INSERT INTO trading.engine_batch
      SELECT batch_sequence + 1, epoch, at + interval '1 second', last_engine_sequence + ${ended}, last_ledger_sequence, hash, hash
      FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1;
    UPDATE trading.position SET order_reserve = order_reserve * ${working_each}, requirement = requirement * ${working_each};
    UPDATE trading.balance SET reserved = reserved * ${working_each}`)
  // A server does this itself within a minute of such a bulk load; small batches never need it.
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT')
}

const ENDED = `, status = 'canceled', terminal_reason = 'USER_CANCELED', remaining_quantity = 0, reserved_amount = 0,
  canceled_quantity = original_quantity`

/** Copies through a temporary table, whose columns a SET list can change. */
function copyOrders(series: string, changed: string, of: string): string {
  const copy = `copied_${changed === '' ? 'working' : 'ended'}`
  return `
    CREATE TEMP TABLE ${copy} ON COMMIT DROP AS SELECT orders.*, n FROM trading.orders, ${series} AS n WHERE ${of};
    UPDATE ${copy} SET order_id = order_id || '_${copy}_' || n, client_order_id = client_order_id || '_${copy}_' || n,
      order_nonce = '${changed === '' ? 1 : 2}' || order_nonce || lpad(n::text, 8, '0'),
      accepted_sequence = accepted_sequence + n${changed};
    ALTER TABLE ${copy} DROP COLUMN n;
    INSERT INTO trading.orders SELECT * FROM ${copy}`
}
