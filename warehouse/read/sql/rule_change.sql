-- Ledger of the rules of markets: one row for each text that a market had, when it replaced another.
--
-- template  {{revisions}}  every known revision of market
--           {{versions}}   versions of indexes with the interval in which each is effective
-- returns   the texts with their hash and that of the texts before (null: recorded for the first time), the fields that differ, and
--           the indexes whose version of that time names the market
-- rule      revisions follow each other as the current row of a market is chosen. A version names a market if its definition has the
--           venue and the venue's id of the market (pipelines/notices/rule-changes.ts)
-- test      test/warehouse/read/rule-change.test.ts holds this and the API's ledger together
with recorded as (
  select
    market_id,
    revision,
    rules,
    venue_mapping.venue_id as venue_id,
    venue_mapping.source_market_id as source_market_id,
    source_at,
    received_at,
    published_at,
    row_ordinal,
    sha256(
      concat_ws(
        chr(31),
        coalesce(rules.resolution_question, ''),
        coalesce(rules.resolution_criteria, ''),
        array_to_string(nullif(rules.resolution_sources, []), chr(31))
      )
    ) as rules_sha256
  from {{revisions}}
  where rules is not null
),
followed as (
  select
    *,
    lag(rules_sha256) over placed as previous_sha256,
    lag(rules) over placed as before
  from recorded
  window placed as (partition by market_id order by received_at, revision, published_at, row_ordinal)
),
named as (
  select
    index_id,
    effective_from,
    effective_to,
    regexp_extract_all(definition, '"venue_id":"([^"]*)"', 1) as venue_ids,
    regexp_extract_all(definition, '"source_market_id":"([^"]*)"', 1) as source_market_ids
  from {{versions}}
),
naming as (
  select f.published_at, f.row_ordinal, list(distinct n.index_id order by n.index_id) as index_ids
  from followed as f
  join named as n
    on list_contains(n.venue_ids, f.venue_id)
    and list_contains(n.source_market_ids, f.source_market_id)
    and n.effective_from <= f.published_at
    and (n.effective_to is null or f.published_at < n.effective_to)
  group by f.published_at, f.row_ordinal
)
select
  if(f.previous_sha256 is null, 'archived', 'changed') as kind,
  f.market_id,
  f.venue_id,
  f.source_market_id,
  f.revision,
  f.rules_sha256,
  f.previous_sha256,
  if(
    f.previous_sha256 is null,
    [],
    list_filter(
      [
        if(coalesce(f.before.resolution_question, '') <> coalesce(f.rules.resolution_question, ''), 'resolution_question', null),
        if(coalesce(f.before.resolution_criteria, '') <> coalesce(f.rules.resolution_criteria, ''), 'resolution_criteria', null),
        if(
          coalesce(f.before.resolution_sources, []) <> coalesce(f.rules.resolution_sources, []), 'resolution_sources', null
        )
      ],
      lambda name: name is not null
    )
  ) as changed_fields,
  f.rules.resolution_question as resolution_question,
  f.rules.resolution_criteria as resolution_criteria,
  f.rules.resolution_sources as resolution_sources,
  coalesce(g.index_ids, []) as index_ids,
  f.source_at,
  f.published_at,
  f.row_ordinal
from followed as f
left join naming as g on g.published_at = f.published_at and g.row_ordinal = f.row_ordinal
where f.previous_sha256 is distinct from f.rules_sha256
