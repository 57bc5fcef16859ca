-- Mails that were not sent because the instance has no mail server.
create table mail_message (
  id text primary key,
  business_id text,                          -- null: of the instance
  sender text not null,
  recipients text[] not null,
  subject text not null,
  body_text text,
  body_html text,
  created_at bigint not null,                -- milliseconds
  reply_to text                              -- null: answers go to the sender
);

create index mail_message_created on mail_message (created_at desc, id);

-- Senders that the operator allows to the scripts of a business: addresses, or domains as @domain.
create table mail_sender (
  business_id text not null,
  sender text not null,
  primary key (business_id, sender)
);
