-- Rows that were received before their source stated them.
--
-- template  {{rows}}  every revision of the table
--           {{id}}    the column that names a record
--           {{ahead_us}}  microseconds by which a source's clock may be ahead
-- returns   rule, id, detail; no row when every clock is right
-- rule      source_at <= received_at wherever both are known, but for what a source's clock may be ahead
select 'CLOCK_RECEIVED' as rule, {{id}} as id,
  'source_at ' || source_at::varchar || ' is after received_at ' || received_at::varchar as detail
from {{rows}}
where epoch_us(source_at) > epoch_us(received_at) + {{ahead_us}}
