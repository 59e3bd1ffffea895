-- Records that a notice may be about, of the ids asked for.
--
-- params   $index_id  VARCHAR  null: none
--          $market_id  VARCHAR  null: none
--          $venue_id  VARCHAR  null: none
-- returns  one row: whether each is known; a venue is known by a market, or by a report of its health
select
  exists (select 1 from index_definition where index_id = $index_id) as index_id,
  exists (select 1 from market where market_id = $market_id) as market_id,
  exists (select 1 from market where venue_mapping.venue_id = $venue_id)
  or exists (select 1 from ingest_health where venue_id = $venue_id) as venue_id;
