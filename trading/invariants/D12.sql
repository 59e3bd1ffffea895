-- D12  What trading goes by is what acts made: assets, accounts and their policies, markets with their terms, rules and labels,
-- versions of fees and the one in force, and the first keys of accounts. Every other key has the owner's authorization.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH act AS (
  SELECT command ->> 'kind' AS kind, command::jsonb AS command, at
  FROM trading.operator_act
  WHERE command ->> 'kind' IN ('add_asset', 'add_account', 'set_policy', 'add_market', 'set_fees', 'add_key', 'make_complementary')
), fees_at AS (
  SELECT command -> 'fees' ->> 'schedule_id' AS schedule_id, command -> 'fees' AS rates, at, command ->> 'market_id' AS market_id
  FROM act
  WHERE kind = 'add_market'
  UNION ALL
  SELECT command ->> 'schedule_id', command, at, market_id
  FROM act LEFT JOIN LATERAL jsonb_array_elements_text(command -> 'market_ids') AS market_id ON true
  WHERE kind = 'set_fees'
), in_force AS (
  SELECT DISTINCT ON (market_id) market_id, schedule_id, at
  FROM fees_at
  WHERE market_id IS NOT NULL
  ORDER BY market_id, at DESC
), made AS (
  SELECT 'asset ' || (command ->> 'asset_id') AS subject, command ->> 'scale' AS what FROM act WHERE kind = 'add_asset'
  UNION ALL
  SELECT 'account ' || (command ->> 'account_id'),
         concat_ws(' ', coalesce(command ->> 'owner_address', '-'), coalesce(command ->> 'label', ''))
  FROM act
  WHERE kind = 'add_account'
  UNION ALL
  SELECT 'policy of ' || (command ->> 'account_id') || ' from ' || at, (command -> 'policy')::text
  FROM act
  WHERE kind IN ('add_account', 'set_policy')
  UNION ALL
  SELECT 'market ' || (command ->> 'market_id'),
         jsonb_build_object('terms', (command -> 'terms') || coalesce(joined.complementary, '{}'),
                            'listing', coalesce(command -> 'listing', 'null'))::text
  FROM act
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('complementary', true) AS complementary
    FROM trading.market
    WHERE market_id = act.command ->> 'market_id' AND (listed -> 'terms' ->> 'complementary')::boolean
      AND EXISTS (SELECT FROM act AS later
                  WHERE later.kind = 'make_complementary' AND later.command ->> 'market_id' = market_id)
  ) AS joined ON true
  WHERE kind = 'add_market'
  UNION ALL
  SELECT 'outcome ' || outcome_id,
         concat_ws(' ', command ->> 'market_id', place - 1,
           coalesce(command -> 'listing' -> 'outcome_labels' ->> outcome_id, outcome_id))
  FROM act, jsonb_array_elements_text(command -> 'outcome_ids') WITH ORDINALITY AS listed (outcome_id, place)
  WHERE kind = 'add_market'
  UNION ALL
  SELECT DISTINCT concat_ws(' ', 'fees', fees.schedule_id, schedule_version),
         concat_ws(' ', (rates ->> 'taker_rate')::numeric::float8, (rates ->> 'maker_rate')::numeric::float8)
  FROM fees_at JOIN trading.fee_schedule AS fees ON fees.schedule_id = fees_at.schedule_id AND fees.at = fees_at.at
  UNION ALL
  SELECT 'fees of ' || market_id, concat_ws(' ', schedule_id, max(schedule_version))
  FROM in_force JOIN trading.fee_schedule AS fees USING (schedule_id)
  WHERE fees.at <= in_force.at
  GROUP BY market_id, schedule_id
  UNION ALL
  SELECT 'key ' || (command -> 'key' ->> 'key_id'),
         jsonb_build_object('account_id', command -> 'key' -> 'account_id', 'scopes', command -> 'key' -> 'scopes',
           'ip_allowlist', command -> 'key' -> 'ip_allowlist', 'label', command -> 'key' -> 'label',
           'algorithm', command -> 'key' -> 'algorithm', 'environment', command -> 'key' -> 'environment')::text
  FROM act
  WHERE kind = 'add_key'
), stored AS (
  SELECT 'asset ' || asset_id AS subject, scale::text AS what FROM trading.asset
  UNION ALL
  SELECT 'account ' || account_id, concat_ws(' ', coalesce(owner_address, '-'), label)
  FROM trading.account
  WHERE NOT starts_with(account_id, 'acct_house_')
  UNION ALL
  SELECT 'policy of ' || account_id || ' from ' || at, policy::jsonb::text
  FROM trading.account_policy
  WHERE NOT starts_with(account_id, 'acct_house_')
  UNION ALL
  SELECT 'market ' || market_id, jsonb_build_object('terms', listed -> 'terms', 'listing', listed -> 'listing')::text
  FROM trading.market
  UNION ALL
  SELECT 'outcome ' || outcome_id, concat_ws(' ', market_id, place, label) FROM trading.market_outcome
  UNION ALL
  SELECT concat_ws(' ', 'fees', schedule_id, schedule_version),
         concat_ws(' ', taker_rate::numeric::float8, maker_rate::numeric::float8)
  FROM trading.fee_schedule
  UNION ALL
  SELECT 'fees of ' || market_id, concat_ws(' ', schedule_id, schedule_version) FROM trading.market
  UNION ALL
  SELECT 'key ' || key_id,
         jsonb_build_object('account_id', account_id, 'scopes', scopes, 'ip_allowlist', ip_allowlist, 'label', label,
           'algorithm', algorithm, 'environment', environment)::text
  FROM trading.api_key
  WHERE key_id IN (SELECT command -> 'key' ->> 'key_id' FROM act WHERE kind = 'add_key')
), newest_policy AS (
  SELECT DISTINCT ON (account_id) account_id, policy::jsonb AS policy FROM trading.account_policy ORDER BY account_id, at DESC
)
SELECT coalesce(made.subject, stored.subject) AS subject, coalesce(stored.what, 'no such row') AS found,
       coalesce(made.what, 'no act made it') AS expected
FROM made FULL JOIN stored USING (subject, what)
WHERE made.subject IS NULL OR stored.subject IS NULL
UNION ALL
SELECT 'account ' || account_id, account.policy::jsonb::text, coalesce(newest_policy.policy::text, 'none')
FROM trading.account LEFT JOIN newest_policy USING (account_id)
WHERE account.policy::jsonb IS DISTINCT FROM newest_policy.policy
UNION ALL
SELECT 'market ' || market_id, coalesce(event_id, 'no event'), coalesce(listed -> 'listing' ->> 'event_id', 'no event')
FROM trading.market
WHERE event_id IS DISTINCT FROM listed -> 'listing' ->> 'event_id'
UNION ALL
SELECT 'key ' || key_id, 'a key of ' || api_key.account_id, 'an authorization by its owner, or an act'
FROM trading.api_key
LEFT JOIN (
  SELECT DISTINCT api_key_id AS key_id, account_id FROM trading.signer_authorization WHERE purpose = 'create'
) AS allowed USING (key_id, account_id)
WHERE allowed.key_id IS NULL;
