-- Index observations with the millisecond twin of published_at.
--
-- template  {{view}}  index_observation or index_observation_history
--           {{rows}}  the observations: current or every revision
-- rule      a level and its inputs are one row, so they are always read together
create view {{view}} as
select *, epoch_ms(published_at) as published_at_ts_ms
from {{rows}};
