-- Last priced level of each bucket of some indexes, each in a range of its own.
--
-- template  {{rows}}    relation of index_observation rows
--           {{known}}   condition on rows: published_at at or before as_of, the indexes asked for
--           {{asked}}   rows (index_id, range_from, range_to) of a VALUES list: half-open ranges
--           {{bucket_us}}  length of a bucket in microseconds, aligned to the Unix epoch
-- returns   index_id, source_cutoff_at, level; no row for a bucket without a priced level
-- rule      methodology §15, sampling latest_per_interval by source_cutoff_at; §14: the greatest revision of a tick is current.
--           A tick is never before its cutoff, so the ranges of cutoffs need no tick outside of them.
with asked (index_id, range_from, range_to) as (
  values {{asked}}
),
known as (
  select index_id, tick_at, revision, published_at, row_ordinal, level, quality_state, source_cutoff_at
  from {{rows}}
  where {{known}}
),
current_row as (
  select known.*, range_from
  from known
  join asked using (index_id)
  where tick_at >= range_from and tick_at < range_to
  qualify row_number() over (
    partition by index_id, tick_at
    order by revision desc, published_at desc, row_ordinal desc
  ) = 1
)
select index_id, source_cutoff_at, level
from current_row
where level is not null and coalesce(quality_state, 'valid') <> 'stale' and source_cutoff_at >= range_from
qualify row_number() over (
  partition by index_id, epoch_us(source_cutoff_at) - epoch_us(source_cutoff_at) % {{bucket_us}}
  order by source_cutoff_at desc, published_at desc, row_ordinal desc
) = 1
