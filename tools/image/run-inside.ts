import { spawnSync } from 'node:child_process'
import type { ImageConfig } from './containerfile.ts'

/** Folders that the image may write; all others are read-only, as `read_only` of compose.yaml. */
const WRITTEN = ['/tmp', '/var/lib/tidemark', '/var/cache/tidemark']

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/**
 * Runs a shell script in the files of an image as its user, with its variables, in namespaces of its own: only loopback, processes of
 * its own, and a root that cannot be written. Needs root.
 */
export function runInside(rootfs: string, { Env, User, WorkingDir }: ImageConfig, script: string): Ran {
  const [uid, gid] = User.split(':')
  const set_up = [
    'set -e',
    'ip link set lo up',
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"',
    'mount -t proc proc "$1/proc"',
    'mount --rbind /dev "$1/dev"',
    ...WRITTEN.map((path) => `mount -t tmpfs -o uid=${uid},gid=${gid},mode=0700 tmpfs "$1${path}"`),
    `root="$1"; script="$2"; shift 2`,
    `exec chroot --userspec=${User} "$root" env -i "$@" sh -c "cd ${WorkingDir}; $script"`,
  ].join('\n')
  const argv = ['--mount', '--pid', '--net', '--fork', '--kill-child', 'sh', '-c', set_up, 'sh', rootfs, script, ...Env]
  const { status, stdout, stderr } = spawnSync('unshare', argv, { encoding: 'utf8', maxBuffer: 1 << 26 })
  return { status, stdout, stderr }
}
