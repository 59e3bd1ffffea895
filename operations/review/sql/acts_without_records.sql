-- Acts whose records are missing, because the process was interrupted between the act and its records.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
-- params    $subject  VARCHAR   the table that the acts are about
-- returns   the acts, the earliest first
select a.act_id, a.records, a.acted_at
from assessment_act as a
where a.subject = $subject
  and a.act_id not in (select act_id from {{rows}} where act_id is not null)
order by a.published_at, a.row_ordinal;
