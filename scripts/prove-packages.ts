import { checkPackages } from './check-packages.ts'
import { withPackedPackages } from './pack-packages.ts'
import type { Output } from './run-steps.ts'
import { runSdkProjects } from './sdk-projects.ts'
import { installService, smokeDeployment } from './smoke-packages.ts'

/**
 * Packs each published package once. Then, side by side: the shapes of the tarballs, an installation as docs/production.md says,
 * and the projects that use the SDK against an installed service.
 */
export function provePackages(output?: Output): Promise<number> {
  return withPackedPackages(async (packages, directory) => {
    const codes = await Promise.all([
      checkPackages(packages, output),
      smokeDeployment(directory),
      installService(packages, directory).then((service) =>
        service === undefined ? 1 : runSdkProjects(packages, { directory, service }),
      ),
    ])
    return Math.max(...codes)
  })
}
