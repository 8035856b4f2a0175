import type { Settings } from './assemble.ts';

/** Applies the option `--port`. If `siteUrl` has the old port from `server.port`, it gets the new one, too, so that links work. */
export function withPort(settings: Settings, port: number | null): Settings {
  if (port === null) return settings;
  const { server } = settings;
  const links = new URL(server.siteUrl);
  const siteUrl = links.port === String(server.port) ? server.siteUrl.replace(/:\d+$/, `:${port}`) : server.siteUrl;
  return { ...settings, server: { ...server, port, siteUrl } };
}
