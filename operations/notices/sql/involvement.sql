-- People who took part in a matter: proposals about it, reviews of its ratings and assessments, notices, versions of an index.
--
-- params   $subject_id  VARCHAR  index, market, proposal, rating, assessment or notice
-- returns  actor_id and the instant from which they were involved; a person may be in several rows
with proposals as (
  select proposal_id from governance_proposal_history where $subject_id in (proposal_id, split_part(target, ':', 1))
  union
  select proposal_id from governance_notice_history where notice_id = $subject_id and proposal_id is not null
),
reviewed as (
  select $subject_id as reviewed_id
  union
  select market_id from market_rating_history where rating_id = $subject_id
  union
  select event_id from severity_assessment_history where assessment_id = $subject_id
)
select actor_id, recorded_at as involved_at
from governance_act
where subject_id in (select proposal_id from proposals)
union all
select actor_id, published_at
from assessment_act_history
where subject_id in (select reviewed_id from reviewed)
union all
select actor_id, published_at
from governance_notice_history
where notice_id = $subject_id
  and actor_id is not null
union all
select approved_by, published_at
from index_version_history
where index_id = $subject_id
  and approved_by is not null;
