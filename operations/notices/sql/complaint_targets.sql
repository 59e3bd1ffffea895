-- Targets of proposals that a complaint about a record may lead to: the record's indexes, and what they use.
--
-- params   $subject_id    VARCHAR      index, market, proposal, rating, assessment or notice
--          $published_by  TIMESTAMPTZ  later records do not count
-- returns  one row a target, in order: indexes, methodologies, eligibility policies, or the target of the proposal
with named as (
  select index_id, market_id, proposal_id
  from governance_notice_history
  where notice_id = $subject_id
    and published_at <= $published_by::timestamptz
),
proposed as (
  select split_part(target, ':', 1) as target
  from governance_proposal_history
  where (proposal_id = $subject_id or proposal_id in (select proposal_id from named))
    and published_at <= $published_by::timestamptz
),
markets as (
  select $subject_id as market_id
  union
  select market_id from named
  union
  select market_id from market_rating_history where rating_id = $subject_id
  union
  select market_id
  from market_history
  where event_id in (select event_id from severity_assessment_history where assessment_id = $subject_id)
),
versions as (
  select
    index_id,
    methodology_id,
    json_extract_string(definition, '$.selection.eligibility_policy.policy_id') as policy_id,
    list_transform(constituents, lambda c: c.market_id) as market_ids
  from index_version_history
  where published_at <= $published_by::timestamptz
),
indexes as (
  select $subject_id as index_id
  union
  select index_id from named
  union
  select target from proposed
  union
  select index_id from versions where list_has_any(market_ids, (select list(market_id) from markets))
),
targets as (
  select target from proposed
  union
  select index_id from indexes where starts_with(index_id, 'idx_')
  union
  select methodology_id from versions where index_id in (select index_id from indexes)
  union
  select policy_id from versions where index_id in (select index_id from indexes)
)
select target from targets where target is not null order by target;
