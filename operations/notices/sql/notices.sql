-- Every notice.
--
-- returns  in the order of publication
select *
from governance_notice_history
order by published_at, row_ordinal;
