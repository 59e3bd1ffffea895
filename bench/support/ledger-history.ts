import type { Pool } from '../../trading/store/create-pool.ts'

const ENTRIES_PER_BATCH = 10

/**
 * Appends `count` ledger entries of acct_a, which has one filled order, to the history: ten in a batch and a batch each second. Two of ten
 * reserve for an order, four are its fill, four are the settlement. Each has its record, a copy of the account's first. A batch ends with
 * the events of the balance and of the position that it changed.
 */
export async function multiplyEntries(pool: Pool, count: number): Promise<void> {
  const batches = Math.ceil(count / ENTRIES_PER_BATCH)
  const batch = `last_batch, generate_series(1, ${batches}) AS b`
  await pool.query(`
    SET LOCAL session_replication_role = replica;
    SET LOCAL synchronous_commit = off;
    CREATE TEMP TABLE last_batch ON COMMIT DROP AS SELECT * FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1;
    UPDATE trading.engine_batch SET at = at - interval '${batches + 60} seconds';
    INSERT INTO trading.ledger_entry
      SELECT last_ledger_sequence + 3 * (b - 1) + part, n, kind, 'acct_a',
             coalesce(asset_id, CASE WHEN b % 2 = 0 THEN 'out_yes' ELSE 'out_no' END), bucket, amount, prefix || b,
             last_engine_sequence + 6 * (b - 1) + part, at - (${batches} - b) * interval '1 second'
      FROM ${batch}, (VALUES
        (0, 1, 'reservation', 'ord_x', 'asset_usd', 'available', -500), (1, 1, 'reservation', 'ord_x', 'asset_usd', 'reserved', 500),
        (2, 2, 'fill', 'trd_x', 'asset_usd', 'available', 100), (3, 2, 'fill', 'trd_x', 'asset_usd', 'reserved', -500),
        (4, 2, 'fill', 'trd_x', 'asset_usd', 'pending_debit', 400), (5, 2, 'fill', 'trd_x', NULL, 'unsettled', 10),
        (6, 3, 'settlement', 'stl_x', NULL, 'unsettled', -10), (7, 3, 'settlement', 'stl_x', NULL, 'settled', 10),
        (8, 3, 'settlement', 'stl_x', 'asset_usd', 'pending_debit', -400), (9, 3, 'settlement', 'stl_x', 'asset_usd', 'available', 1)
      ) AS of_batch (n, part, kind, prefix, asset_id, bucket, amount);
    INSERT INTO trading.orders SELECT copy.* FROM ${batch},
      trading.orders AS o, jsonb_populate_record(o, jsonb_build_object('order_id', 'ord_x' || b, 'client_order_id', 'c' || b)) AS copy
      WHERE o.order_id = (SELECT min(order_id) FROM trading.orders WHERE account_id = 'acct_a');
    INSERT INTO trading.fill SELECT copy.* FROM ${batch},
      trading.fill AS f, jsonb_populate_record(f, jsonb_build_object('fill_id', 'fill_x' || b, 'trade_id', 'trd_x' || b,
        'settlement_id', 'stl_x' || b, 'engine_sequence', last_engine_sequence + 6 * (b - 1) + 3)) AS copy
      WHERE f.fill_id = (SELECT min(fill_id) FROM trading.fill WHERE account_id = 'acct_a');
    INSERT INTO trading.settlement SELECT copy.* FROM ${batch},
      trading.settlement AS s, jsonb_populate_record(s, jsonb_build_object('settlement_id', 'stl_x' || b, 'fill_id', 'fill_x' || b)) AS copy
      WHERE s.settlement_id = (SELECT min(settlement_id) FROM trading.settlement WHERE account_id = 'acct_a');
    INSERT INTO trading.engine_event (engine_sequence, batch_sequence, kind, account_id, body)
      SELECT last_engine_sequence + 6 * (b - 1) + 5, batch_sequence + b, 'balance', 'acct_a',
             json_build_object('asset_id', 'asset_usd', 'total', total - 299 * b::bigint, 'reserved', reserved, 'withdrawal_hold', 0,
               'pending_settlement_debit', pending_settlement_debit, 'pending_settlement_credit', pending_settlement_credit)
      FROM ${batch}, trading.balance
      WHERE account_id = 'acct_a' AND asset_id = 'asset_usd';
    INSERT INTO trading.engine_event (engine_sequence, batch_sequence, kind, account_id, body)
      SELECT last_engine_sequence + 6 * b, batch_sequence + b, 'position', 'acct_a',
             json_build_object('outcome_id', outcome_id, 'net_quantity', held + 10 * ((b + 1) / 2), 'settled_quantity', 10 * ((b + 1) / 2))
      FROM ${batch}, LATERAL (
        SELECT outcome_id, coalesce((SELECT net_quantity FROM trading.position p WHERE p.account_id = 'acct_a' AND p.outcome_id = o.outcome_id), 0) AS held
        FROM (SELECT CASE WHEN b % 2 = 0 THEN 'out_yes' ELSE 'out_no' END AS outcome_id) AS o
      ) AS of_outcome;
    INSERT INTO trading.position
      SELECT (jsonb_populate_record(p, '{"outcome_id": "out_no"}')).* FROM trading.position p
      WHERE account_id = 'acct_a' AND outcome_id = 'out_yes' ON CONFLICT DO NOTHING;
    INSERT INTO trading.engine_batch
      SELECT batch_sequence + b, epoch, at - (${batches} - b) * interval '1 second', last_engine_sequence + 6 * b,
             last_ledger_sequence + 3 * b, hash, hash
      FROM ${batch}`)
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT')
}
