-- Index observations with the millisecond twin of published_at and the reasons of their state.
--
-- template  {{rows}}          the observations: current or every revision
--           {{explained_by}}  the reasons that each lead to a state on their own, by state
-- returns   the stored columns; reason_codes completed
-- rule      a level and its inputs are one row, so they are always read together. Records of earlier releases get the reason that
--           their other fields imply (pipelines/index/state-reasons.ts, reasonsOfRecord); a reason may end with a colon and a value
-- test      test/warehouse/read/index-reasons.test.ts holds this and that function together
with stated as (
  select
    *,
    coalesce(underlying_quality_state, quality_state) as state,
    coalesce(reason_codes, []) as codes
  from {{rows}}
),
explained as (
  select
    *,
    list_has_any({{explained_by}}, list_transform(codes, lambda code: split_part(code, ':', 1))) as is_explained
  from stated
),
implied as (
  select
    *,
    list_filter(
      [
        case
          when state in ({{UNEXPLAINED_STATES}}) or is_explained then null
          when state = 'suspended' then 'USABLE_WEIGHT_LOW'
          when state = 'stale' then 'NO_FRESH_INPUT'
          when state = 'indicative' then 'CONFIDENCE_LOW'
          when len(missing_constituent_ids) > 0 then 'CONSTITUENT_MISSING'
          when coverage_ratio = 1 then 'FALLBACK_WEIGHT_HIGH'
          else 'COVERAGE_OR_FALLBACK'
        end,
        if(quality_state = 'corrected', correction_reason, null)
      ],
      lambda code: code is not null and not list_contains(codes, code)
    ) as added
  from explained
)
select
  * exclude (state, codes, is_explained, added) replace (
    if(len(added) = 0, reason_codes, list_sort(list_distinct(list_concat(codes, added)))) as reason_codes
  ),
  epoch_ms(published_at) as published_at_ts_ms
from implied
