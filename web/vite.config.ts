// Builds the page as one file, dist/report.html: script and style stand in it, so that a report can be
// mailed, attached to a ticket and opened from a disk. The content security policy names both by their
// hashes and allows nothing else: no request leaves the page, and a script that came with the data would
// not run even if it got past everything before it. The same sources give the same bytes.

import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

const placeholder = "/*ASSAY_DATA*/null";

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code.trim();
        else if (name.endsWith(".css")) style += String(file.source).trim();
        else continue;
        delete bundle[name];
      }
      if (/<\/script|<!--/i.test(script)) this.error("the script would end its own element");
      const page = bundle["report.html"];
      if (page?.type !== "asset") return this.error("no page to put the script into");
      const policy =
        `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
        "base-uri 'none'; form-action 'none'";
      // Functions as replacements: `$` in the script means nothing special then.
      const html = String(page.source)
        .replace(/<script type="module"[^>]*src=[^>]*><\/script>\s*/, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/, "")
        .replace("<title>", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<title>`)
        .replace("</head>", () => `<style>${style}</style>\n</head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
      if (html.split(placeholder).length !== 2) this.error("the data's placeholder must occur exactly once");
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2020",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: { input: "report.html" },
  },
});
