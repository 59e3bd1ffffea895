-- Records that await a person: proposals, returned records and open disputes.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
--           {{id}}    the column that names a record
-- returns   the newest revision of each, the longest waiting first
select *
from (
  select *
  from {{rows}}
  qualify row_number() over (partition by chain_id order by revision desc) = 1
)
where review_state in ({{WAITING_STATES}})
order by published_at, {{id}};
