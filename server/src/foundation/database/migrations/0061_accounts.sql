-- The OpenID Connect provider at which users of a business sign in.
create table accounts_oidc (
  business_id text primary key references accounts_business (id) on delete cascade,
  label text not null,                       -- of the button
  issuer text not null,
  client_id text not null,
  sealed_secret text not null,
  domains text[] not null,                   -- of e-mail addresses that may sign in
  creates_role text,                         -- of users who are new; null: none is made
  changed_at bigint not null                 -- milliseconds
);

-- Sign-ins that have left for a provider, and those that came back until they are taken.
create table accounts_oidc_sign_in (
  state_hash text primary key,
  business_id text not null references accounts_oidc (business_id) on delete cascade,
  browser_hash text not null,                -- of the cookie: another browser cannot end it
  sealed_checks text not null,               -- nonce and PKCE verifier
  expires_at bigint not null,                -- milliseconds
  code_hash text unique,                     -- by which the page takes its session
  email_key text                             -- who has signed in
);

create index accounts_oidc_sign_in_business on accounts_oidc_sign_in (business_id);
