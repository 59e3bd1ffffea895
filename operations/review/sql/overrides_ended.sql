-- Approved overrides that have ended and whose expiry is not recorded yet.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
--           {{id}}    the column that names a record
-- params    $now      TIMESTAMPTZ
-- returns   the newest revision of each, the one that ended first first
select *
from (
  select *
  from {{rows}}
  where "override" is not null
  qualify row_number() over (partition by chain_id order by revision desc) = 1
)
where review_state = 'approved' and "override".expires_at <= $now::timestamptz
order by "override".expires_at, {{id}};
