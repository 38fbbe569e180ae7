import type { SettingName } from '../../packages/server/src/main/config/environment.ts'

interface SettingText {
  /** The group of the settings page. */
  readonly group:
    | 'Server'
    | 'Storage'
    | 'Security'
    | 'Limits'
    | 'Webhooks'
    | 'Telephony'
    | 'E-mail'
    | 'External CRMs'
  /** The value without the variable, as the page shows it. */
  readonly unset: string
  /** Sentences for the page. */
  readonly text: string
}

const perMinute = (of: string, unset: string): SettingText => ({
  group: 'Limits',
  unset,
  text: `Requests a minute of ${of}; 0 is no limit.`,
})

const twilio = (text: string): SettingText => ({ group: 'Telephony', unset: 'none', text })

const mail = (text: string, unset = 'none'): SettingText => ({ group: 'E-mail', unset, text })

const crm = (text: string, unset = 'none'): SettingText => ({ group: 'External CRMs', unset, text })
const zohoSecret = (centre: string) => crm(`The secret in the data centre ${centre}, where it has its own.`)

/** A text for every setting; the compiler refuses a setting without one. `docs/reference/settings.md` is made from it. */
export const settingTexts: Readonly<Record<SettingName, SettingText>> = {
  CRM_SMTP_URL: mail(
    'Relay that sends the mail of the installation and of inboxes with the transport `relay`: `smtps://user:password@host`, or `smtp://user:password@host:587`, which demands STARTTLS except on this machine.',
    'no relay; with `--dev` mail is kept and shown at `/dev/mail`',
  ),
  CRM_MAIL_FROM: mail('Address that mail through the relay comes from. Required with `CRM_SMTP_URL`.'),
  CRM_MAIL_DOMAIN: mail(
    'Domain whose mail this service receives by itself: replies go to signed addresses there.',
  ),
  CRM_MAIL_ALLOW_CIDRS: mail(
    'Comma list of private address blocks at which the mail servers of inboxes may be, also in production.',
  ),
  CRM_MAIL_CA_FILE: mail(
    'PEM file of further certificate authorities, trusted for the relay and for those private addresses only.',
  ),
  CRM_SMTP_PORT: mail(
    'Port that receives mail over SMTP for addresses of `CRM_MAIL_DOMAIN`. It needs that domain, `CRM_SMTP_TLS_CERT` and `CRM_SMTP_TLS_KEY`. A worker does not listen.',
    'off',
  ),
  CRM_SMTP_HOST: mail('Address that the SMTP port listens on: an IP address or `localhost`.', '127.0.0.1'),
  CRM_SMTP_TLS_CERT: mail('PEM file of the certificate of the SMTP port, with its chain.'),
  CRM_SMTP_TLS_KEY: mail('PEM file of the key of that certificate.'),
  CRM_GOOGLE_CLIENT_ID: mail(
    'Client id of your OAuth app at Google, for mailboxes that people sign in to. Its redirect URI is `{CRM_BASE_URL}/api/v1/mail/oauth/google/callback`.',
  ),
  CRM_GOOGLE_CLIENT_SECRET: mail('Client secret of that app.'),
  CRM_MICROSOFT_CLIENT_ID: mail(
    'Client id of your app registration at Microsoft, for mailboxes that people sign in to. Its redirect URI is `{CRM_BASE_URL}/api/v1/mail/oauth/microsoft/callback`.',
  ),
  CRM_MICROSOFT_CLIENT_SECRET: mail('Client secret of that registration.'),
  CRM_MICROSOFT_TENANT: mail(
    'Directory at Microsoft whose people may sign in: its id, its domain, `organizations` or `common`.',
    'common',
  ),
  CRM_MAIL_OAUTH_HOSTS: mail(
    'Servers of an emulator of these providers, as `accounts=host:port,imap=host:port,smtp=host:port`; plain http is used for `accounts`. Refused in production.',
  ),
  CRM_MAIL_EVENTS_TOKEN: mail(
    'Secret text of 32 or more characters: the provider of the relay posts its events to `/api/v1/inbound/events/` and this text.',
    'no events of the relay are taken',
  ),
  CRM_MAIL_EVENTS_MAILGUN_KEY: mail('Key that Mailgun signs the events of the relay with.'),
  CRM_MAIL_EVENTS_SENDGRID_KEY: mail('Public key of the signed event webhook of SendGrid, for the relay.'),
  CRM_MAIL_EVENTS_SES_TOPIC: mail(
    'ARN of the Amazon SNS topic with the events of Amazon SES, for the relay.',
  ),
  CRM_MAIL_SNS_HOSTS: mail(
    'Server of an emulator of Amazon SNS, as `host:port`, over https with a certificate of `CRM_MAIL_CA_FILE`. Refused in production.',
  ),
  PORT: {
    group: 'Server',
    unset: '3000',
    text: 'Port of the service. 0 takes any free port; a worker does so too.',
  },
  CRM_HOST: {
    group: 'Server',
    unset: '127.0.0.1',
    text: 'Address to listen on: an IP address or `localhost`. `0.0.0.0` is reachable from other machines.',
  },
  CRM_BASE_URL: {
    group: 'Server',
    unset: 'made of host and port',
    text: 'The address that clients use, such as `https://crm.example.com`. Signatures of Twilio cover it.',
  },
  CRM_ENVIRONMENT: {
    group: 'Server',
    unset: '`staging`',
    text: '`production` refuses test keys, demands both secrets and switches registration off.',
  },
  CRM_ROLE: {
    group: 'Server',
    unset: '`all`',
    text: '`api` serves requests, `worker` runs the background jobs, `all` does both. `api` and `worker` need MongoDB and Redis.',
  },
  CRM_LOG_LEVEL: {
    group: 'Server',
    unset: '`info`; `warn` for `createCrm`',
    text: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. `info` has one line for each request.',
  },
  CRM_TRUST_PROXY: {
    group: 'Server',
    unset: '0',
    text: 'The number of proxies in front whose `X-Forwarded-For` is trusted, counted from the right; or a comma list of their addresses and networks, such as `10.0.0.0/8,2001:db8::/32`: then the last address outside of them is that of the caller, however many proxies there are.',
  },
  CRM_KEEP_ALIVE_SECONDS: {
    group: 'Server',
    unset: '65',
    text: 'How long an idle connection stays open, 1 to 999: longer than your load balancer holds its own.',
  },
  CRM_DRAIN_SECONDS: {
    group: 'Server',
    unset: '0',
    text: 'How long the server goes on after SIGTERM, 0 to 999: `GET /api/v1/health` responds with 503 meanwhile and everything else is served, so that a load balancer leaves it before connections are refused.',
  },
  CRM_CONSOLE: {
    group: 'Server',
    unset: '`on`',
    text: "`off` does not serve the agents' console at `/console/`; a browser at `/` then gets a page with the next steps.",
  },
  CRM_CORS_ORIGINS: {
    group: 'Server',
    unset: 'none',
    text: 'Comma list of origins whose pages may call the service, such as `https://app.example.com`.',
  },
  CRM_METRICS_PORT: {
    group: 'Server',
    unset: 'none',
    text: 'Port of the metrics for Prometheus, at `/metrics` and without a credential. It must differ from `PORT`.',
  },
  CRM_METRICS_HOST: { group: 'Server', unset: '127.0.0.1', text: 'Address of that listener.' },
  CRM_DATA_DIR: {
    group: 'Storage',
    unset: '`./data`',
    text: 'Directory of the SQLite database, the files of messages and generated secrets. It is made with mode 0700.',
  },
  CRM_DATABASE_URL: {
    group: 'Storage',
    unset: '`crm.sqlite` in `CRM_DATA_DIR`',
    text: '`sqlite:` and a path, or a `mongodb://` address of a replica set. MongoDB demands both secrets.',
  },
  CRM_REDIS_URL: {
    group: 'Storage',
    unset: 'none',
    text: 'A `redis://` or `rediss://` address. Processes share wake-ups, notices and rate limits through it.',
  },
  CRM_JWT_SECRET: {
    group: 'Security',
    unset: 'generated into `CRM_DATA_DIR`',
    text: 'Signs sessions; at least 32 bytes (`openssl rand -hex 32`). A comma list is a key ring: the first signs, the others still verify.',
  },
  CRM_SECRETS_KEY: {
    group: 'Security',
    unset: 'generated into `CRM_DATA_DIR`',
    text: 'Encrypts webhook secrets and other credentials; at least 32 bytes. A comma list is a key ring: the first encrypts, the others still open.',
  },
  CRM_REGISTRATION: {
    group: 'Security',
    unset: '`open`; `off` in production',
    text: 'Registration of tenants: `open` anybody, `first` the first tenant only, `off` nobody (`crm-server tenants create` works always). With `first`, a server that others than its operator may reach asks for the setup token that it prints at its start: one that listens on another address than a loopback one, has a proxy before it (`CRM_TRUST_PROXY`), or another `CRM_BASE_URL`.',
  },
  CRM_RATE_LIMITS: {
    group: 'Limits',
    unset: '`on`',
    text: '`off` switches off every limit but the own limits of API keys, and the wait after failed sign-ins.',
  },
  CRM_LIMIT_KEY_PER_MINUTE: perMinute('one API key', '600'),
  CRM_LIMIT_USER_PER_MINUTE: perMinute('one signed-in user', '300'),
  CRM_LIMIT_TENANT_PER_MINUTE: perMinute('all keys of one tenant', '3000'),
  CRM_LIMIT_PEOPLE_PER_MINUTE: perMinute('all sessions of one tenant', '30000'),
  CRM_LIMIT_ADDRESS_PER_MINUTE: perMinute('one address without a credential', '120'),
  CRM_LIMIT_LOGIN_PER_MINUTE: perMinute('one address that signs in', '20'),
  CRM_LIMIT_MAILS_PER_SENDER: {
    group: 'Limits',
    unset: '200',
    text: 'Mails an hour of one address to one inbox that are read at once; the others are stored, and read later. 0 is no limit.',
  },
  CRM_ATTACHMENTS: {
    group: 'Storage',
    unset: 'beside the rows: the directory `attachments`, or MongoDB',
    text: 'Folder of an object store for the bytes of attachments, `s3://BUCKET/FOLDER`, with `?endpoint=ADDRESS&region=REGION` where it is not Amazon S3 in `us-east-1`, and `&style=host` where the bucket is a part of the host name.',
  },
  CRM_ATTACHMENTS_KEY: {
    group: 'Storage',
    unset: 'none',
    text: 'Key of the object store that `CRM_ATTACHMENTS` names: the id of an access key, a colon and its secret.',
  },
  CRM_ERASURE_LEDGER: {
    group: 'Storage',
    unset: '`erasures.ndjson` beside an SQLite file, and none with MongoDB',
    text: 'File of the ledger of erasures, by which a restore erases again what was erased after the backup, or `s3://BUCKET/FOLDER` in an object store, with `?endpoint=ADDRESS&region=REGION` where it is not Amazon S3 in `us-east-1`. With MongoDB name one that every worker reaches.',
  },
  CRM_ERASURE_LEDGER_KEY: {
    group: 'Storage',
    unset: 'none',
    text: 'Key of the object store that `CRM_ERASURE_LEDGER` names: the id of an access key, a colon and its secret. It may list, read and write that folder, and needs no right to delete.',
  },
  CRM_DISK_FREE_MB: {
    group: 'Limits',
    unset: '1024, or 5 % of the disk where that is more',
    text: 'With less free space beside an SQLite file no mail and nothing of visitors is stored; the team goes on. 0 is no limit.',
  },
  CRM_WEBHOOK_CA_FILE: {
    group: 'Webhooks',
    unset: 'none; `webhook-ca.pem` in `CRM_DATA_DIR` with `--dev`',
    text: 'File of further certificate authorities, trusted only for destinations that `CRM_WEBHOOK_ALLOW_CIDRS` allows.',
  },
  CRM_WEBHOOK_ALLOW_CIDRS: {
    group: 'Webhooks',
    unset: 'none; loopback with `--dev`',
    text: 'Comma list of private networks that webhooks may go to, such as `10.0.0.0/8`. Refused in production.',
  },
  CRM_WEBHOOK_ALLOW_HTTP: {
    group: 'Webhooks',
    unset: '0',
    text: '1 allows `http:` addresses of webhooks. Refused in production.',
  },
  CRM_WEBHOOK_UNSAFE: {
    group: 'Webhooks',
    unset: '0',
    text: '1 allows the two settings above in production too.',
  },
  CRM_TWILIO_ACCOUNT_SID: twilio(
    'The account; with it, all variables of this group and `CRM_BASE_URL` are required.',
  ),
  CRM_TWILIO_AUTH_TOKEN: twilio('Verifies the callbacks of the account.'),
  CRM_TWILIO_API_KEY_SID: twilio('An API key of the account; it signs the tokens of browsers.'),
  CRM_TWILIO_API_KEY_SECRET: twilio('The secret of that API key.'),
  CRM_TWILIO_APP_SID: twilio('A TwiML application.'),
  CRM_ZOHO_CLIENT_ID: crm('The client id of your app at Zoho; without it nobody can sign in at Zoho.'),
  CRM_ZOHO_CLIENT_SECRET: crm('The secret of that app.'),
  CRM_ZOHO_CLIENT_SECRET_EU: zohoSecret('EU'),
  CRM_ZOHO_CLIENT_SECRET_IN: zohoSecret('IN'),
  CRM_ZOHO_CLIENT_SECRET_AU: zohoSecret('AU'),
  CRM_ZOHO_CLIENT_SECRET_CN: zohoSecret('CN'),
  CRM_ZOHO_CLIENT_SECRET_JP: zohoSecret('JP'),
  CRM_ZOHO_CLIENT_SECRET_CA: zohoSecret('CA'),
  CRM_ZOHO_CLIENT_SECRET_SA: zohoSecret('SA'),
  CRM_ZOHO_CLIENT_SECRET_UK: zohoSecret('UK'),
  CRM_ZOHO_CLIENT_SECRET_AE: zohoSecret('AE'),
  CRM_ZOHO_CLIENT_SECRET_SG: zohoSecret('SG'),
  CRM_ZOHO_ACCOUNTS_SERVER: crm('Where a sign-in at Zoho begins.', '`https://accounts.zoho.com`'),
  CRM_HUBSPOT_CLIENT_ID: crm('The client id of your app at HubSpot.'),
  CRM_HUBSPOT_CLIENT_SECRET: crm('The secret of that app.'),
  CRM_HUBSPOT_ACCOUNTS_SERVER: crm('Where a sign-in at HubSpot begins.', '`https://app.hubspot.com`'),
  CRM_HUBSPOT_API_DOMAIN: crm('The API of HubSpot.', '`https://api.hubapi.com`'),
  CRM_CONNECTOR_HOSTS: crm(
    'Further hosts that records may be read from, as a comma list of `host:port`, compared exactly; plain http is allowed for them. For an emulator. Refused in production.',
  ),
  CRM_CONNECTOR_CA_FILE: crm('A PEM file of further trusted authorities, for those hosts only.'),
  CRM_CONNECTOR_UNSAFE: crm('1 allows `CRM_CONNECTOR_HOSTS` in production too.', '0'),
}
