-- Notices about an index.
--
-- params   $index_id  VARCHAR
-- returns  the latest first
select notice_id, kind, title, cause, published_at
from governance_notice
where index_id = $index_id
order by published_at desc, row_ordinal desc;
