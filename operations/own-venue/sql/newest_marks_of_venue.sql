-- The newest mark of each outcome of one venue, of those published after an instant.
--
-- params   $venue_id  VARCHAR
--          $after     TIMESTAMPTZ  published_at, exclusive
-- returns  one row an outcome: the one of the greatest (tick_at, revision); mark null: there was none to be formed
select mark_id, market_id, outcome_id, mark, tick_at
from market_mark_history
where venue_id = $venue_id
  and published_at > $after::timestamptz
qualify row_number() over (partition by outcome_id order by tick_at desc, revision desc) = 1;
