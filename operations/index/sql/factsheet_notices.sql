-- Notices about an index.
--
-- params   $index_id  VARCHAR
-- returns  the latest first
select notice_id, kind, title, cause, starts_at, effective_at, ends_at, published_at
from governance_notice
where index_id = $index_id
order by published_at desc, row_ordinal desc;
