-- Quotes of a simulated day for some instruments, in the order of the table's key.
--
-- template  {{day}}               first instant of the day, in microseconds
--           {{commits}}           commits of the day, {{commit_us}} apart
--           {{rounds_of_commit}}  quotes of each instrument in a commit, {{round_us}} apart
--           {{columns}}           select list of the table's columns; those without a value are null
--           {{instruments}}       number of instruments; those from {{from}} until before {{to}} are written
-- returns   rows of market_quote
-- rule      a venue is polled, so an instrument's quotes are evenly spaced but for seconds, and received within 160 ms
with committed as (
  select *, unnest(range({{commits}})) as part from instruments where place >= {{from}} and place < {{to}} order by place
),
quoted as (
  select *, unnest(range({{rounds_of_commit}})) as round_of_part from committed
),
drawn as (
  select *, part * {{rounds_of_commit}} + round_of_part as round, hash(place, part, round_of_part, {{day}}) as draw from quoted
),
timed as (
  select
    *,
    {{day}}::bigint + round * {{round_us}}::bigint + phase_us + (draw % 16)::bigint * 1000000 as source_us,
    200 + (place * 7919) % 600 + (hash(place, part, {{day}}) % 41)::integer - 20 as mid
  from drawn
),
stated as (
  select
    'obs_' || printf('%032x', hash(draw)) as record_id,
    1::integer as revision,
    'bench' as venue_id,
    source_market_id,
    market_id,
    outcome_id,
    (mid - 3)::decimal(9, 0) * 0.001::decimal(9, 9) as bid,
    (mid + 3)::decimal(9, 0) * 0.001::decimal(9, 9) as ask,
    ((draw >> 8) % 50 * 10)::decimal(18, 6) as bid_depth,
    ((draw >> 24) % 50 * 10)::decimal(18, 6) as ask_depth,
    make_timestamptz(source_us) as source_at,
    make_timestamptz(source_us + 10000 * (1 + (draw >> 32) % 16)::bigint) as received_at,
    make_timestamptz({{day}}::bigint + (part + 1) * {{commit_us}}::bigint - 1000000) as published_at,
    (round_of_part * {{instruments}} + place)::integer as row_ordinal
  from timed
)
select {{columns}} from stated
