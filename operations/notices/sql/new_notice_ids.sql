-- Ids of the notices published after an instant.
--
-- params   $after  TIMESTAMPTZ  bound of the publication, exclusive
-- returns  notice_id
select notice_id from governance_notice_history where published_at > $after::timestamptz;
