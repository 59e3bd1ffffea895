-- Markets as known at an instant, under their current resolutions.
--
-- template  {{rows}}           current rows of market
--           {{resolutions}}    current rows of market_resolution
--           {{rules_version}}  version of the rules in terms of venue_id and texts_hash
--           {{timezone}}       time zone of the rules by venue_id
-- returns   the stored columns; status, outcomes and rules completed
-- rule      the current resolution of a market is the current row with the greatest (source_at, received_at, revision) among its
--           chains that are not withdrawn. A final one ends the market and pays its outcomes; a market that its venue calls
--           resolved without one is resolving. Outcomes of an open market are tradable. rules_version and timezone are those of the
--           record, else what follows from its texts and its venue (pipelines/market/reference-facts.ts)
-- test      test/warehouse/reader/catalog-and-latest.test.ts holds this and the API's catalogue together
with resolution as (
  select market_id, finality, payouts
  from {{resolutions}}
  qualify row_number() over (
    partition by market_id
    order by
      (finality = 'withdrawn'), source_at desc, received_at desc, revision desc, published_at desc, row_ordinal desc
  ) = 1
),
stated as (
  select
    m.*,
    m.venue_mapping.venue_id as venue_id,
    sha256(
      concat_ws(
        chr(31),
        coalesce(m.rules.resolution_question, ''),
        coalesce(m.rules.resolution_criteria, ''),
        array_to_string(nullif(m.rules.resolution_sources, []), chr(31))
      )
    ) as texts_hash,
    if(r.finality = 'final', coalesce(r.payouts, []), []) as paid,
    case
      when r.finality = 'final' then if(m.status in ({{ENDED_STATUSES}}), m.status, 'resolved')
      when r.finality in ({{CONTESTED_FINALITIES}}) and m.status = 'resolved' then 'resolving'
      else m.status
    end as status_now
  from {{rows}} as m
  left join resolution as r on r.market_id = m.market_id
)
select
  s.* exclude (venue_id, texts_hash, paid, status_now) replace (
    s.status_now as status,
    list_transform(
      s.outcomes,
      lambda o: struct_pack(
        outcome_id := o.outcome_id,
        label := o.label,
        status := coalesce(
          list_transform(
            list_filter(s.paid, lambda p: p.outcome_id = o.outcome_id),
            lambda p: case when p.payout = 1 then 'won' when p.payout = 0 then 'lost' when p.payout is not null then 'split' end
          )[1],
          o.status,
          if(s.status_now = 'open', 'tradable', null)
        ),
        payout_value := coalesce(
          list_filter(s.paid, lambda p: p.outcome_id = o.outcome_id)[1].payout, o.payout_value::decimal(18, 9)
        )
      )
    ) as outcomes,
    if(
      s.rules is null,
      null,
      struct_pack(
        rules_version := coalesce(s.rules.rules_version, {{rules_version}}),
        resolution_question := s.rules.resolution_question,
        resolution_sources := s.rules.resolution_sources,
        resolution_criteria := s.rules.resolution_criteria,
        dispute_policy_uri := s.rules.dispute_policy_uri,
        timezone := coalesce(s.rules.timezone, {{timezone}})
      )
    ) as rules
  )
from stated as s
