// The languages of clients/: each folder is a project that makes its client from openapi.json and takes the journey with it.

export type Command = readonly [program: string, ...args: string[]]

export interface Language {
  readonly name: string
  /** Each program that the machine must have, with arguments that only show its version. */
  readonly needs: readonly Command[]
  /** Makes the client, in a copy of the folder that has openapi.json too. The README has the same commands. */
  readonly generate: readonly Command[]
  /** Takes the journey. */
  readonly journey: readonly Command[]
}

export const languages: readonly Language[] = [
  {
    name: 'python',
    needs: [['python3', '--version']],
    generate: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
      [
        '.venv/bin/openapi-python-client',
        'generate',
        '--meta',
        'none',
        '--path',
        'openapi.json',
        '--config',
        'generator.yml',
        '--output-path',
        'crmkit_client',
      ],
    ],
    journey: [['.venv/bin/python', 'journey.py']],
  },
  {
    name: 'go',
    needs: [['go', 'version']],
    generate: [
      ['mkdir', '-p', 'crmkit'],
      ['go', 'generate'],
    ],
    journey: [['go', 'run', '.']],
  },
  {
    name: 'java',
    needs: [
      ['javac', '-version'],
      ['mvn', '-version'],
    ],
    generate: [['mvn', '-q', '-B', 'compile']],
    journey: [['mvn', '-q', '-B', 'exec:java']],
  },
]
