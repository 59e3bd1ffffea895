import type { Micros } from '../../primitives/instants.ts'
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

/** A history of public events: its last event, and the instants of its first and last batch. */
export type EventHistory = { readonly last_sequence: number; readonly first_at: Micros; readonly last_at: Micros }

const EVENTS_PER_BATCH = 20

/**
 * Appends events to the log of a market `mkt_1`, 20 in a batch and a batch each second, up to now: of ten events five change a book of 200
 * price levels, one is a trade, and four are of an account. They do not change the orders.
 */
export async function multiplyEvents(pool: Pool, count: number): Promise<EventHistory> {
  const batches = Math.ceil(count / EVENTS_PER_BATCH)
  await pool.query(`
    SET LOCAL session_replication_role = replica;
    SET LOCAL synchronous_commit = off;
    CREATE TEMP TABLE last_batch ON COMMIT DROP AS SELECT * FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1;
    UPDATE trading.engine_batch SET at = at - interval '${batches + 60} seconds';
    INSERT INTO trading.engine_event (engine_sequence, batch_sequence, kind, account_id, body)
      SELECT last_engine_sequence + n, batch_sequence + 1 + (n - 1) / ${EVENTS_PER_BATCH}, kind,
             CASE WHEN kind = 'order' THEN 'acct_a' END,
             CASE kind
               WHEN 'book' THEN json_build_object('market_id', 'mkt_1', 'outcome_id', outcome_id, 'side', side,
                 'price', CASE side WHEN 'BUY' THEN 1 + n * 7 % 49 ELSE 51 + n * 7 % 49 END,
                 'quantity', CASE WHEN n % 11 = 0 THEN 0 ELSE 100 + n % 900 END, 'order_count', 1 + n % 5)
               WHEN 'trade' THEN json_build_object('trade_id', 'trd_bench_' || n, 'market_id', 'mkt_1', 'outcome_id', outcome_id,
                 'price', 50, 'quantity', 100 + n % 900, 'aggressor_side', side)
               ELSE json_build_object('order_id', n, 'status', 'open')
             END
      FROM last_batch, (
        SELECT n, CASE WHEN n % 10 < 5 THEN 'book' WHEN n % 10 = 5 THEN 'trade' ELSE 'order' END AS kind,
               CASE WHEN n / 10 % 2 = 0 THEN 'out_yes' ELSE 'out_no' END AS outcome_id,
               CASE WHEN n % 2 = 0 THEN 'BUY' ELSE 'SELL' END AS side
        FROM generate_series(1, ${count}) AS n
      ) AS events;
    INSERT INTO trading.engine_batch
      SELECT batch_sequence + b, epoch, at - (${batches} - b) * interval '1 second', last_engine_sequence + least(b * ${EVENTS_PER_BATCH}, ${count}),
             last_ledger_sequence, hash, hash
      FROM last_batch, generate_series(1, ${batches}) AS b`)
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT')
  const { rows } = await pool.query<{ last_sequence: number; first_at: Micros; last_at: Micros }>(
    `SELECT max(last_engine_sequence) AS last_sequence, min(at) FILTER (WHERE batch_sequence > (SELECT max(batch_sequence) - ${batches} FROM trading.engine_batch)) AS first_at,
            max(at) AS last_at FROM trading.engine_batch`,
  )
  return rows[0]!
}
