-- Policies of accounts by their versions.
-- params: $1 account ids, $2 policy ids, $3 policy versions.
-- returns: a row for each in their order: policy
SELECT p.policy
FROM unnest($1::text[], $2::text[], $3::integer[]) WITH ORDINALITY AS asked (account_id, policy_id, policy_version, place)
JOIN trading.account_policy p USING (account_id, policy_id, policy_version)
ORDER BY asked.place
