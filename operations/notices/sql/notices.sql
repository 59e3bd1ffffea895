-- Every notice.
--
-- returns  in the order of publication, equal instants by notice_id as GET /v1/governance/notices
select *
from governance_notice_history
order by published_at, notice_id;
