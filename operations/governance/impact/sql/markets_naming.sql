-- Markets whose rules name an id as a whole word.
--
-- params   $id  VARCHAR   letters, digits and underscores
-- returns  in the order of market_id
select market_id
from market
where regexp_matches(rules::varchar, '(^|[^A-Za-z0-9_])' || $id || '($|[^A-Za-z0-9_])')
order by market_id;
