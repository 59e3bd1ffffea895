-- L8  Nothing moves money or ends a market by hand but an operator's act, once each: every deposit and withdrawal, adjustment
-- of a fill, reversal of a settlement, revision of a resolution and conversion of a market to one ladder is what acts ordered, and
-- all of that was done.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH act AS (
  SELECT command ->> 'kind' AS kind, command, actor
  FROM trading.operator_act
  WHERE command ->> 'kind' IN
    ('deposit', 'withdraw', 'conclude_transfer', 'adjust_fill', 'reverse_settlement', 'propose_resolution', 'correct_resolution',
     'make_complementary')
), converted AS (
  SELECT DISTINCT market_id
  FROM trading.ledger_entry JOIN trading.market ON market_id = reference_id
  WHERE kind = 'adjustment'
), ordered AS (
  SELECT CASE kind WHEN 'deposit' THEN 'deposit' ELSE 'withdrawal' END || ' ' || (command ->> 'transfer_id') AS subject,
         concat_ws(' ', command ->> 'account_id', asset_id,
           (CASE kind WHEN 'deposit' THEN 1 ELSE -1 END * (command ->> 'amount')::numeric * 10::numeric ^ scale)::bigint) AS what
  FROM act JOIN trading.asset ON asset_id = command ->> 'asset_id'
  WHERE kind IN ('deposit', 'withdraw')
  UNION ALL
  SELECT 'transfer ' || (command ->> 'transfer_id'), command ->> 'result' FROM act WHERE kind = 'conclude_transfer'
  UNION ALL
  SELECT 'adjustment ' || (command ->> 'adjustment_id'),
         concat_ws(' ', command ->> 'fill_id', command ->> 'adjustment_type', command ->> 'reason_code',
           'by', actor, 'and', command ->> 'approved_by')
  FROM act
  WHERE kind = 'adjust_fill'
  UNION ALL
  SELECT 'reversal ' || (command ->> 'reversal_id'),
         concat_ws(' ', command ->> 'settlement_id', command ->> 'reason_code', 'by', actor, 'and', command ->> 'approved_by')
  FROM act
  WHERE kind = 'reverse_settlement'
  UNION ALL
  SELECT 'resolution ' || (command ->> 'resolution_id'),
         concat_ws(' ', command ->> 'supersedes_id', 'by', actor, 'and', command ->> 'approved_by')
  FROM act
  WHERE kind IN ('propose_resolution', 'correct_resolution')
  UNION ALL
  SELECT DISTINCT 'conversion ' || market_id, 'to one ladder'
  FROM act JOIN converted ON market_id = command ->> 'market_id'
  WHERE kind = 'make_complementary'
), done AS (
  SELECT kind || ' ' || reference_id AS subject, concat_ws(' ', account_id, asset_id, amount) AS what
  FROM trading.ledger_entry
  WHERE kind IN ('deposit', 'withdrawal') AND account_id <> 'acct_house_external'
    AND NOT EXISTS (SELECT FROM trading.transfer WHERE transfer_id = reference_id)
  UNION ALL
  SELECT 'transfer ' || transfer_id, state FROM trading.transfer WHERE state = 'confirmed' OR state = 'failed'
  UNION ALL
  SELECT 'adjustment ' || adjustment_id,
         concat_ws(' ', fill_id, adjustment_type, reason_code, 'by', actor, 'and', approved_by)
  FROM trading.adjustment
  UNION ALL
  SELECT DISTINCT 'adjustment ' || reference_id, 'of no fill'
  FROM trading.ledger_entry
  LEFT JOIN trading.adjustment ON adjustment_id = reference_id
  LEFT JOIN converted ON converted.market_id = reference_id
  WHERE kind = 'adjustment' AND adjustment_id IS NULL AND converted.market_id IS NULL
  UNION ALL
  SELECT 'conversion ' || market_id, 'to one ladder' FROM converted
  UNION ALL
  SELECT 'reversal ' || reversal_id, concat_ws(' ', settlement_id, reason_code, 'by', actor, 'and', approved_by)
  FROM trading.settlement_reversal
  UNION ALL
  SELECT DISTINCT 'reversal of ' || reference_id, 'without a record'
  FROM trading.ledger_entry LEFT JOIN trading.settlement_reversal AS reversal ON settlement_id = reference_id
  WHERE kind = 'reversal' AND reversal_id IS NULL
  UNION ALL
  SELECT 'resolution ' || resolution_id,
         concat_ws(' ', CASE WHEN approved_by IS NOT NULL THEN supersedes_id END, 'by', actor, 'and', approved_by)
  FROM trading.resolution
), ordered_times AS (
  SELECT subject, what, count(*) AS times FROM ordered GROUP BY subject, what
), done_times AS (
  SELECT subject, what, count(*) AS times FROM done GROUP BY subject, what
)
SELECT coalesce(ordered_times.subject, done_times.subject) AS subject,
       CASE WHEN done_times.times IS NULL THEN 'not done' ELSE done_times.times || ' times ' || done_times.what END AS found,
       CASE WHEN ordered_times.times IS NULL THEN 'an act that orders it'
            ELSE ordered_times.times || ' times ' || ordered_times.what END AS expected
FROM ordered_times FULL JOIN done_times USING (subject, what)
WHERE ordered_times.times IS DISTINCT FROM done_times.times;
