#include "report/release/manifest.h"

#include <nlohmann/json.hpp>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "base/version.h"
#include "keys/sha256_text.h"
#include "report/release/report.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

// What a signature is of: the manifest without it, in one form.
std::string SignedText(Json json) {
  json.erase("signature");
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error NoManifest(const std::string& path, std::string_view why) {
  return InvalidArgument("No manifest of a release: {}: {}", path, why)
      .WithHint("'tada anonymize --manifest <file>' writes one beside the release.");
}

}  // namespace

std::string ManifestJson(const Outcome& outcome, const std::string& binary_sha256, const SecretKey* key) {
  const std::string plan = PlanToToml(outcome.plan);
  Json json = {{"manifest", 1},
               {"tada", kVersion},
               {"release", {{"sha256", outcome.release_sha256}}},
               {"plan", {{"sha256", Sha256OfText(plan)}, {"toml", plan}}},
               {"binary", {{"sha256", binary_sha256}}},
               {"verdict",
                {{"passed", outcome.verdict.passed},
                 {"k", outcome.verdict.k},
                 {"l", outcome.verdict.l},
                 {"rows", outcome.verdict.rows},
                 {"classes", outcome.verdict.classes}}}};
  if (key != nullptr) {
    json["public_key"] = key->PublicKey();
    json["signature"] = key->Sign(SignedText(json));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<Manifest> ReadManifest(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return NoManifest(path, text.error().message);
  try {
    const Json json = Json::parse(*text);
    if (json.at("manifest") != 1) return NoManifest(path, "of another form than this version knows");
    const Json& verdict = json.at("verdict");
    Manifest manifest{.version = json.at("tada"),
                      .release_sha256 = json.at("release").at("sha256"),
                      .plan = json.at("plan").at("toml"),
                      .plan_sha256 = json.at("plan").at("sha256"),
                      .binary_sha256 = json.at("binary").at("sha256"),
                      .passed = verdict.at("passed"),
                      .k = verdict.at("k"),
                      .l = verdict.at("l"),
                      .rows = verdict.at("rows"),
                      .classes = verdict.at("classes"),
                      .signed_text = SignedText(json)};
    manifest.public_key = json.value("public_key", "");
    manifest.signature = json.value("signature", "");
    return manifest;
  } catch (const Json::exception&) {
    return NoManifest(path, "it is not JSON, or something is missing in it");
  }
}

void CheckManifest(const Manifest& manifest, const std::string& release_sha256, const std::string& binary_sha256,
                   const std::string& public_key, Verdict& verdict) {
  const auto fail = [&](std::string words) {
    verdict.problems.push_back("Manifest: " + std::move(words));
    verdict.passed = false;
  };
  if (manifest.release_sha256 != release_sha256)
    fail("this is not the file that was released: its SHA-256 is another.");
  if (Sha256OfText(manifest.plan) != manifest.plan_sha256) fail("its plan was changed.");
  if (!manifest.passed) fail("the release did not pass its own audit.");
  if (manifest.k != verdict.k || manifest.l != verdict.l || manifest.rows != verdict.rows ||
      manifest.classes != verdict.classes) {
    fail(fmt::format("it says k={}, l={}, {} rows in {} classes; the file has k={}, l={}, {} rows in {} classes.",
                     manifest.k, manifest.l, manifest.rows, manifest.classes, verdict.k, verdict.l, verdict.rows,
                     verdict.classes));
  }
  if (manifest.signature.empty()) {
    if (!public_key.empty()) return fail("it is not signed.");
    verdict.notes.emplace_back("The manifest is not signed: whoever changed the release may have changed it too.");
    return;
  }
  if (!SignatureHolds(manifest.public_key, manifest.signed_text, manifest.signature)) {
    return fail("its signature does not hold: it was changed after it was signed.");
  }
  if (!public_key.empty() && public_key != manifest.public_key)
    return fail("it is signed by another key: " + manifest.public_key + ".");
  verdict.notes.push_back(
      fmt::format("The manifest is signed by {}{}.", manifest.public_key,
                  public_key.empty() ? "; " TADA_OPTION("public-key") " verifies whose that is" : ", as asked"));
  if (manifest.binary_sha256 != binary_sha256) {
    verdict.notes.push_back(
        fmt::format("The release was made by another build of tada ({}) than this one.", manifest.version));
  }
}

}  // namespace tada
