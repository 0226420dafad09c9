package chromium

import (
	"strings"
)

// flag is one command-line switch with the reason it is there.
type flag struct{ name, reason string }

// Switches of every launch.
var always = []flag{
	{"--remote-debugging-pipe", "CDP over inherited descriptors: no TCP port that others on the machine could connect to"},
	{"--no-startup-window", "no page outside of a run's contexts"},
	{"--proxy-server=http://127.0.0.1:1", "a dead end: only a run's context, which brings its own proxy, reaches a network; the browser's own services do not"},
	{"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "WebRTC must not go around the run's proxy"},
	{"--disable-quic", "QUIC is UDP, which the run's proxy does not carry"},
	{"--enable-blink-features=ComputedAccessibilityInfo", "role and accessible name in the page, at a tenth of the cost of an accessibility tree query"},
	{"--site-per-process", "frames of other sites live in processes of their own, as in a full browser; the headless shell leaves that out"},
	{"--disable-background-networking", "no update checks, no field trial downloads, no reports"},
	{"--disable-component-update", "no downloads after start"},
	{"--disable-domain-reliability", "no error reports to third parties"},
	{"--disable-client-side-phishing-detection", "no model downloads, no reports"},
	{"--disable-sync", "no account services"},
	{"--no-pings", "no hyperlink auditing requests, which nobody would see as the page's"},
	{"--metrics-recording-only", "no metrics upload"},
	{"--disable-field-trial-config", "the same browser on every machine: no experiments"},
	{"--disable-breakpad", "no crash reports"},
	{"--disable-crashpad-for-testing", "no crash handler process, which leaves the process group and outlives us"},
	{"--disable-default-apps", "nothing installed on its own"},
	{"--disable-extensions", "no code from outside in a run's pages"},
	{"--disable-component-extensions-with-background-pages", "no hidden pages"},
	{"--no-first-run", "no first-run pages"},
	{"--no-default-browser-check", "no prompts"},
	{"--no-service-autorun", "nothing left registered on the machine"},
	{"--disable-search-engine-choice-screen", "no prompts"},
	{"--password-store=basic", "not the user's key ring"},
	{"--use-mock-keychain", "not the user's key chain"},
	{"--disable-background-timer-throttling", "a page works the same whether it is in front or not"},
	{"--disable-backgrounding-occluded-windows", "as above"},
	{"--disable-renderer-backgrounding", "as above"},
	{"--disable-back-forward-cache", "going back loads the page, so that its requests and events are seen"},
	{"--disable-hang-monitor", "no dialog about a slow page"},
	{"--disable-prompt-on-repost", "reloading a posted form asks nothing"},
	{"--disable-popup-blocking", "a script's popups open as a user's would"},
	{"--disable-ipc-flooding-protection", "many history or navigation calls in a row are not dropped"},
	{"--allow-pre-commit-input", "input right after a navigation is not dropped"},
	{"--force-color-profile=srgb", "screenshots are the same on every machine"},
	{"--export-tagged-pdf", "PDF files keep their structure"},
	{"--unsafely-disable-devtools-self-xss-warnings", "no warning lines in a page's console"},
	{"--enable-unsafe-swiftshader", "WebGL in software; pages expect it"},
	{"--enable-features=CDPScreenshotNewSurface", "screenshots do not resize the page under the script"},
}

// Features switched off in every launch; Chromium takes one list.
var disabledFeatures = []flag{
	{"AvoidUnnecessaryBeforeUnloadCheckSync", "beforeunload runs when a page is closed, as Playwright's users expect"},
	{"BlockOriginHeaderModificationOnRedirect", "a continued request may keep its origin header over a redirect"},
	{"DestroyProfileOnBrowserClose", "contexts end when we say so"},
	{"DialMediaRouteProvider", "no device discovery in the local network"},
	{"MediaRouter", "as above"},
	{"GlobalMediaControls", "no window of its own"},
	{"HttpsUpgrades", "http addresses are loaded as they are written"},
	{"LensOverlay", "no search entry on pages"},
	{"OptimizationHints", "no downloads after start"},
	{"PaintHolding", "a new document is painted at once, so that screenshots are of it"},
	{"SpareRendererForSitePerProcess", "no process in advance for a site that may never come: it took its time from the first page's own"},
	{"ThirdPartyStoragePartitioning", "frames see the storage they see in Playwright"},
	{"Translate", "no translation bar"},
}

// Switches of a launch without a window.
var headless = []flag{
	{"--headless", "no window"},
	{"--hide-scrollbars", "screenshots without scroll bars"},
	{"--mute-audio", "no sound"},
	{"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4", "pages see a mouse, not a touch screen"},
}

// arguments are the whole command line of one launch, without the program.
func arguments(options LaunchOptions, profile string, root, smallSharedMemory bool) []string {
	var args []string
	for _, f := range always {
		args = append(args, f.name)
	}
	var features []string
	for _, f := range disabledFeatures {
		features = append(features, f.name)
	}
	args = append(args, "--disable-features="+strings.Join(features, ","))
	if options.Headed {
		args = append(args, "--enable-automation") // a window says that a program drives it
	} else {
		for _, f := range headless {
			args = append(args, f.name)
		}
	}
	if root {
		args = append(args, "--no-sandbox") // Chromium refuses to start as root with its sandbox
	}
	if smallSharedMemory {
		args = append(args, "--disable-dev-shm-usage") // containers often have 64 MiB, and pages crash on it
	}
	args = append(args, "--user-data-dir="+profile)
	return append(args, options.ExtraArgs...)
}

// environment is what of ours the browser sees: enough to find fonts, a display and a time zone, and none of the user's secrets.
func environment(all []string, temporary string) []string {
	keep := map[string]bool{
		"PATH": true, "HOME": true, "USER": true, "LOGNAME": true, "LANG": true, "LANGUAGE": true, "TZ": true, "DISPLAY": true, "WAYLAND_DISPLAY": true,
		"XAUTHORITY": true, "DBUS_SESSION_BUS_ADDRESS": true, "LD_LIBRARY_PATH": true, "FONTCONFIG_PATH": true, "FONTCONFIG_FILE": true,
	}
	var env []string
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if keep[name] || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
			env = append(env, entry)
		}
	}
	return append(env, "TMPDIR="+temporary)
}
