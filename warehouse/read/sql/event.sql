-- Events as known at an instant, with the status that follows from their markets where their source states none.
--
-- template  {{rows}}   current rows of event
-- returns   the stored columns; status completed, regions [] where none is stated, market_ids ascending
-- rule      an event whose markets all have a known status is ended by the last of them, and ongoing before
--           (pipelines/market/reference-facts.ts)
-- test      test/warehouse/reader/catalog-and-latest.test.ts holds this and the API's catalogue together
with market_of_event as (
  select event_id, unnest(market_ids) as market_id from {{rows}}
),
course as (
  select
    e.event_id,
    case
      when bool_or(m.status is null) then null
      when bool_and(m.status in ({{ENDED_STATUSES}})) then 'ended'
      else 'ongoing'
    end as status
  from market_of_event as e
  left join market as m on m.market_id = e.market_id
  group by e.event_id
)
select e.* replace (
  coalesce(e.status, c.status) as status,
  coalesce(e.regions, []) as regions,
  coalesce(list_sort(e.market_ids), []) as market_ids
)
from {{rows}} as e
left join course as c on c.event_id = e.event_id
