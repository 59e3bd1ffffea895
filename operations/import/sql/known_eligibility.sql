-- Stored decisions about markets that an archive may describe again.
--
-- params   $ids  list of VARCHAR, market ids
-- returns  one row a stored revision, any order
select eligibility_id, revision, market_id, status, policy_id, policy_version, reason_codes, evaluated_at
from market_eligibility_history
where market_id in (select unnest($ids));
