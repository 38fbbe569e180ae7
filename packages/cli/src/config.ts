import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Every value that the command reads from its environment. No other file reads `process.env`. */
export interface Environment {
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly profile: string | undefined
  readonly password: string | undefined
  readonly webhookSecret: string | undefined
  /** The credential of an account that `crm migrate` reads. */
  readonly migrateToken: string | undefined
  readonly migrateTokenFile: string | undefined
  /** Hosts, as `host:port`, that `crm migrate` may reach without TLS and inside of a network. */
  readonly connectorHosts: readonly string[]
  /** `off` stores credentials in the profile file; otherwise the system keyring stores them where one exists. */
  readonly keyring: string | undefined
  /** The D-Bus session bus, which is the way to the keyring on Linux. */
  readonly sessionBus: { readonly address: string | undefined; readonly runtimeDirectory: string | undefined }
  readonly configDirectory: string
  /** Only this user writes there: compiled code from a shared directory could come from any user. */
  readonly cacheDirectory: string
  readonly isColorUnwanted: boolean
  readonly columns: number | undefined
  /** Whether a variable names a proxy, in either case, as other programs read them. */
  readonly hasProxy: boolean
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  return {
    apiKey: given(env['CRM_API_KEY']),
    baseUrl: given(env['CRM_BASE_URL']),
    profile: given(env['CRM_PROFILE']),
    // Not trimmed: a blank at either end may belong to the password.
    password: env['CRM_PASSWORD'] || undefined,
    webhookSecret: env['CRM_WEBHOOK_SECRET'] || undefined,
    migrateToken: given(env['CRM_MIGRATE_TOKEN']),
    migrateTokenFile: given(env['CRM_MIGRATE_TOKEN_FILE']),
    connectorHosts: (env['CRM_CONNECTOR_HOSTS'] ?? '').split(',').flatMap((host) => given(host) ?? []),
    keyring: given(env['CRM_KEYRING']),
    sessionBus: {
      address: given(env['DBUS_SESSION_BUS_ADDRESS']),
      runtimeDirectory: given(env['XDG_RUNTIME_DIR']),
    },
    configDirectory: join(homeOf(env['XDG_CONFIG_HOME'], '.config'), 'crmkit'),
    cacheDirectory: join(homeOf(env['XDG_CACHE_HOME'], '.cache'), 'crmkit'),
    // https://no-color.org: every non-empty value counts.
    isColorUnwanted: Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb',
    columns: Number(env['COLUMNS']) || undefined,
    hasProxy: ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => env[name] || env[name.toLowerCase()]),
  }
}

// The XDG specification requires programs to ignore a relative path.
function homeOf(directory: string | undefined, fallback: string): string {
  return directory && isAbsolute(directory) ? directory : join(homedir(), fallback)
}

function given(text: string | undefined): string | undefined {
  return text?.trim() || undefined
}

/** Applies `--no-color` to the libraries that read the environment themselves. */
export function refuseColor(): void {
  process.env['NO_COLOR'] = '1'
}
